// The curl line of an operation, made of its examples: what it says can be pasted into a shell.

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlLine(description, operation, origin, hasToken) {
  let { path } = operation;
  const query = [];
  const headers = [];
  for (const { name, in: place, example } of operation.parameters) {
    if (example === undefined) continue;
    const text = [example].flat().join(",");
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (place === "query") query.push(`${name}=${encodeURIComponent(text)}`);
    else headers.push(`${name}: ${text}`);
  }
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type) headers.push(`Content-Type: ${type}`);
  const words = ["curl -s"];
  const isPlain = operation.method === "GET" || (operation.method === "POST" && type);
  if (!isPlain) words.push(`-X ${operation.method}`);
  words.push(quoted(origin + path + (query.length ? `?${query.join("&")}` : "")));
  if (hasToken && operation.security?.length !== 0) words.push(`-H "Authorization: Bearer $TOKEN"`);
  words.push(...headers.map((header) => `-H ${quoted(header)}`));
  if (type) words.push(`-d ${quoted(JSON.stringify(description.examples(content)[0][1]))}`);
  return words.join(" ");
}
