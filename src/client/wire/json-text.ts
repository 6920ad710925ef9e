/** Parsed JSON, or undefined if the text is not JSON. */
export const parseJson = (text: string, revive?: (name: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, revive) as unknown;
  } catch {
    return undefined;
  }
};
