#!/bin/bash
# The whole story with curl: import a list, open an evaluation, write answers while the kit is edited, read heights, export.
#
#   INTERVIEWKIT_URL=http://127.0.0.1:8080 Examples/requests.sh        needs jq; leaves one kit and one evaluation behind
#
# Each step shows its request, and stops with an error when the reply is not what it should be.
set -euo pipefail
url=${INTERVIEWKIT_URL:-http://127.0.0.1:8080}
cd "$(dirname "$0")"
folder=$(mktemp -d "${TMPDIR:-/tmp}/interviewkit-requests-XXXXXX")
trap 'rm -rf "$folder"' EXIT
run=$RANDOM$RANDOM

# request WANTED-STATUS METHOD PATH curl-arguments…      leaves the body in $body and the entity tag in $tag
request() {
  local wanted=$1 method=$2 path=$3 status
  shift 3
  echo "$method $path"
  status=$(curl -sS -m 10 -X "$method" -o "$folder/body" -D "$folder/head" -w '%{http_code}' "$@" "$url$path")
  body=$(cat "$folder/body")
  tag=$(sed -n 's/^etag: *//Ip' "$folder/head" | tr -d '\r')
  [ "$status" = "$wanted" ] || { echo "  status $status, not $wanted: $body" >&2; exit 1; }
}

# check WHAT FILTER jq-arguments…      the filter must be true of the last body
check() {
  local what=$1 filter=$2
  shift 2
  jq -e "$@" "$filter" <<<"$body" >/dev/null || { echo "  not so: $what: $body" >&2; exit 1; }
  echo "  ✓ $what"
}

json=(-H 'Content-Type: application/json')
phone='profile=ios&width=375&scale=3'

echo "— A list that somebody already has becomes a kit —"
request 200 POST '/v1/kits?dryRun=true' -H 'Content-Type: text/markdown' --data-binary @kits/phone-screen.en.md
check "a dry run reports what it would do" '.importReport'
request 201 POST /v1/kits -H 'Content-Type: text/markdown' --data-binary @kits/phone-screen.en.md
kit=$(jq -r .id <<<"$body")
check "headings became sections" '[.sections[].title] == ["Before the call", "Motivation", "Practicalities"]'
check "list items became questions" '[.sections[].questions | length] == [2, 3, 3]'
check "nested points stayed with their question" '.sections[1].questions[1].help | test("what did others do")'
check "the contents list was left out, and reported" '.importReport | tostring | test("before-the-call|Before the call")'
sectionID=$(jq -r '.sections[1].id' <<<"$body")
first=$(jq -r '.sections[1].questions[0].id' <<<"$body")
second=$(jq -r '.sections[1].questions[1].id' <<<"$body")
third=$(jq -r '.sections[1].questions[2].id' <<<"$body")

echo "— A rating is added, then an evaluation is opened —"
request 201 POST "/v1/kits/$kit/questions" "${json[@]}" \
  -d "{\"id\":\"verdict\",\"sectionId\":\"$sectionID\",\"type\":\"rating\",\"text\":\"Shall we meet?\",\"scale\":\"fourPoint\",\"required\":true}"
request 200 GET "/v1/kits/$kit"
revision=$(jq .revision <<<"$body")
check "every change makes a revision" '.revision == 2'
request 201 POST /v1/evaluations "${json[@]}" \
  -d "{\"id\":\"requests-$run\",\"kitId\":\"$kit\",\"candidate\":{\"id\":\"c-$run\",\"name\":\"Kim Ji-woo\"}}"
evaluation=$(jq -r .id <<<"$body")
check "it is pinned to the kit's revision" '.kitRevision == $revision and .status == "draft"' --argjson revision "$revision"

echo "— Answers go to IDs, and say which rows changed —"
answers=/v1/evaluations/$evaluation/answers
request 201 PUT "$answers/$second?$phone" "${json[@]}" -d '{"value":"Monday: two of us rewrote the importer that nobody dared to touch.\nFriday: it was live, and the support queue was shorter than in spring."}'
check "only rows that changed come back" '[.layouts[0].changed[].id] == [$id]' --arg id "$second"
check "the row grew" '.layouts[0].heightChanged and .layouts[0].changed[0].heightDelta > 0'
height=$(jq '.layouts[0].changed[0].height' <<<"$body")
total=$(jq '.layouts[0].contentHeight' <<<"$body")
request 201 PUT "$answers/verdict" "${json[@]}" -d '{"value":"fourPoint.yes","comment":"Calm and exact."}'
request 422 PUT "$answers/verdict" "${json[@]}" -H 'If-Match: "1"' -d '{"value":"fourPoint.maybe"}'
check "a wrong value is refused by name" '.errors[0].pointer == "/value"'

echo "— The kit is edited under the open evaluation —"
request 201 POST "/v1/kits/$kit/questions" "${json[@]}" \
  -d "{\"id\":\"inserted\",\"sectionId\":\"$sectionID\",\"after\":null,\"type\":\"longText\",\"text\":\"What do you hope to hear from us?\"}"
request 200 GET "/v1/kits/$kit/questions/$third"
request 200 POST "/v1/kits/$kit/questions/$third/move" "${json[@]}" -H "If-Match: $tag" -d "{\"sectionId\":\"$sectionID\",\"after\":null}"
request 200 GET "/v1/kits/$kit/questions/$first"
request 204 DELETE "/v1/kits/$kit/questions/$first" -H "If-Match: $tag"
request 200 GET "/v1/kits/$kit"
check "the kit has its new order" '[.sections[1].questions[].id] == [$third, "inserted", $second, "verdict"]' \
  --arg third "$third" --arg second "$second"
request 200 GET "$answers/$second"
check "the answer stayed with its question" '.value | startswith("Monday: two of us")'
request 200 PUT "$answers/$second?$phone" "${json[@]}" -H "If-Match: $tag" -d '{"value":"Monday."}'
check "a shorter answer shrinks its row" '.layouts[0].changed[0].heightDelta < 0'
request 412 PUT "$answers/$second" "${json[@]}" -H 'If-Match: "1"' -d '{"value":"Tuesday."}'
check "a stale write gets both values" '.current.value == "Monday." and .sent.value == "Tuesday."'

echo "— One screen: kit, answers and row heights, all of one moment —"
request 200 GET "/v1/evaluations/$evaluation?include=kit,layout&$phone"
check "the evaluation still shows the revision it began with" \
  '[.kit.sections[1].questions[].id] == [$first, $second, $third, "verdict"]' \
  --arg first "$first" --arg second "$second" --arg third "$third"
check "every row has a height, and rows add up in whole pixels" \
  '.layouts[0].rows | . as $r | all(.height > 0) and ([range(1; length) as $i
    | (($r[$i].y - $r[$i-1].y - $r[$i-1].height) * 3 | fabs) < 1e-9] | all)'
request 200 GET "/v1/evaluations/$evaluation/layout?$phone"
check "the row shrank back" '(.rows[] | select(.id == $id) | .height) < $height and .contentHeight < $total' \
  --arg id "$second" --argjson height "$height" --argjson total "$total"
request 200 GET "$answers/$second/history"
check "nothing typed is lost" '[.items[].revision] == [2, 1] and (.items[1].value | startswith("Monday: two"))'
request 200 GET "/v1/kits/$kit/revisions/$revision"
check "the old revision is readable" '[.sections[1].questions[].id][0] == $first' --arg first "$first"

echo "— Out again, and in without a change —"
request 200 GET "/v1/kits/$kit" -H 'Accept: text/markdown'
cp "$folder/body" "$folder/kit.md"
request 200 PUT "/v1/kits/$kit" -H 'Content-Type: text/markdown' -H 'If-Match: *' --data-binary @"$folder/kit.md"
request 200 GET "/v1/kits/$kit"
check "export, then import, changes nothing" '.revision == 5'
request 200 GET "/v1/kits/$kit" -H 'Accept: text/csv'
echo "all as it should be"
