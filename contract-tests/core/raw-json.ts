/** A text of JSON that `JSON.stringify` writes as it is. TypeScript does not know this function yet. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
