/** JSON.rawJSON, which TypeScript does not declare yet. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
