// The schemas of problems and of the service itself for /openapi.json.

extension OpenAPISchemas {
  static let service = #"""
    {
      "Problem": {
        "description": [
          "RFC 9457. code is a stable word for programs, errors all that is wrong by place. line and column",
          "are there when the body could not be read; current and sent when a precondition failed: what",
          "stands, and what was sent."
        ],
        "members": {
          "type": "string", "title": "string", "status": "integer", "detail": "string", "code": "string",
          "requestId": "string", "line?": "revision", "column?": "revision", "current?": "any", "sent?": "any",
          "errors": ["Issue"]
        }
      },
      "Issue": {
        "description": "pointer is a JSON Pointer into the body, or /query/ and a parameter's name.",
        "members": {
          "pointer": "string", "itemId": "Id?", "code": "string", "message": "string", "line?": "revision",
          "record?": "revision"
        }
      },
      "Status": {
        "description": "database: full when the last write found no room; reads go on.",
        "members": {
          "status": { "type": "string", "enum": ["ok", "ready"] },
          "database?": { "type": "string", "enum": ["sound", "full"] }
        }
      },
      "Version": {
        "members": { "version": "string", "schema": "integer", "engine": "integer", "fonts": "string" }
      },
      "OpenAPI": {
        "type": "object", "required": ["openapi", "info", "paths", "components"],
        "properties": { "openapi": { "const": "3.1.0" } }
      }
    }
    """#
}
