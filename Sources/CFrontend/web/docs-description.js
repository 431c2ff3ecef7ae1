// An OpenAPI document as the reference reads it: operations, references, examples and words to find them by.

const methods = ["get", "post", "put", "patch", "delete"];

export class Description {
  constructor(document) {
    this.document = document;
    this.groups = document.tags;
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      methods.filter((method) => item[method]).map((method) => ({ ...item[method], path, method: method.toUpperCase(), group: item[method].tags[0] })));
  }

  /** What a reference stands for, with what is written beside it; anything else is itself. */
  resolve(node) {
    let found = node;
    while (found?.$ref) {
      const { $ref, ...beside } = found;
      const target = $ref.slice(2).split("/").reduce((place, step) => place[step], this.document);
      const properties = target.properties && beside.properties ? { properties: merged(target.properties, beside.properties) } : {};
      found = { ...target, ...beside, ...properties };
    }
    return found;
  }

  /** The values of a media type's examples: `[name, value]`. */
  examples(content) {
    return Object.entries(content.examples ?? {}).map(([name, example]) => [name, this.resolve(example).value]);
  }

  /** The responses of an operation in order, those of any request last: `{ status, response, codes }`. */
  responses(operation) {
    return Object.entries(operation.responses).map(([status, reference]) => {
      const response = this.resolve(reference);
      const problem = response.content?.["application/problem+json"];
      return { status, response, codes: problem ? this.resolve(problem.schema).properties.code.enum : [] };
    });
  }

  /** All by which an operation is found, in lower case. */
  words(operation) {
    const parameters = operation.parameters.map(({ name }) => name);
    const codes = this.responses(operation).filter(({ status }) => status !== "default").flatMap(({ status, codes }) => [status, ...codes]);
    return [operation.method, operation.path, operation.summary, operation.operationId, operation.group, operation.description ?? "", ...parameters, ...codes]
      .join(" ").toLowerCase();
  }
}

function merged(all, more) {
  const result = { ...all };
  for (const [name, schema] of Object.entries(more)) result[name] = { ...all[name], ...schema };
  return result;
}
