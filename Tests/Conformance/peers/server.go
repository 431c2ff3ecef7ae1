// The peer of the conformance suite on Go's net/http: the same small service.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var allowed = map[string]string{
	"/healthz":    "GET, HEAD, OPTIONS",
	"/v1/kits/k":  "GET, HEAD, PUT, OPTIONS",
	"/v1/measure": "POST, OPTIONS",
}

const bodyLimit = 1 << 20

func send(writer http.ResponseWriter, status int, body string) {
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
	writer.WriteHeader(status)
	io.WriteString(writer, body)
}

func accepts(accept string) bool {
	if accept == "" {
		return true
	}
	weights := map[string]float64{}
	for _, element := range strings.Split(strings.ToLower(accept), ",") {
		parts := strings.Split(element, ";")
		weight := 1.0
		for _, parameter := range parts[1:] {
			if text := strings.TrimSpace(parameter); strings.HasPrefix(text, "q=") {
				weight, _ = strconv.ParseFloat(text[2:], 64)
			}
		}
		weights[strings.TrimSpace(parts[0])] = weight
	}
	for _, name := range []string{"application/json", "application/*", "*/*"} {
		if weight, found := weights[name]; found {
			return weight > 0
		}
	}
	return false
}

func takes(request *http.Request) bool {
	name, parameters, err := mime.ParseMediaType(request.Header.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	return err == nil && name == "application/json" && (charset == "" || charset == "utf-8") && request.Header.Get("Content-Encoding") == ""
}

func answer(writer http.ResponseWriter, request *http.Request) {
	path := request.URL.EscapedPath()
	if !strings.Contains(strings.ToLower(path), "%2f") {
		path = request.URL.Path
	}
	allow, found := allowed[path]
	if !found {
		send(writer, 404, `{"error":"nothing here"}`)
		return
	}
	if !strings.Contains(", "+allow+",", ", "+request.Method+",") {
		writer.Header().Set("Allow", allow)
		send(writer, 405, "{}")
		return
	}
	if request.Method == "OPTIONS" {
		writer.Header().Set("Allow", allow)
		writer.WriteHeader(204)
		return
	}
	if !accepts(request.Header.Get("Accept")) {
		send(writer, 406, "{}")
		return
	}
	if request.Method == "POST" || request.Method == "PUT" {
		if !takes(request) {
			writer.Header().Set("Accept", "application/json")
			send(writer, 415, "{}")
			return
		}
		if request.ContentLength > bodyLimit {
			send(writer, 413, "{}")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, bodyLimit))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			send(writer, 413, "{}")
			return
		}
		if err != nil || !json.Valid(body) {
			send(writer, 400, "{}")
			return
		}
	}
	if path != "/v1/kits/k" {
		send(writer, 200, `{"status":"ok"}`)
		return
	}
	writer.Header().Set("ETag", `"1"`)
	writer.Header().Set("Content-Type", "application/json")
	if request.Method == "PUT" {
		request.Header.Del("If-Modified-Since")
	}
	http.ServeContent(writer, request, "kit.json", time.Time{}, strings.NewReader(`{"id":"k","title":"Kit"}`))
}

func main() {
	server := http.Server{
		Addr: "127.0.0.1:" + os.Args[1], Handler: http.HandlerFunc(answer), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 15 * time.Second, IdleTimeout: 20 * time.Second, MaxHeaderBytes: 24 << 10,
	}
	server.ListenAndServe()
}
