/**
 * The codes of a list of countries, in capitals: `GB, IE`, `[GB, IE]` and `["GB", "IE"]` are the
 * same. Any other text gives parts that are not codes; a blank one gives null.
 */
export const countryCodesIn = (text: string): string[] | null => {
  const list = text.trim();
  if (list === '') return null;
  const inner = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list;
  if (inner.trim() === '') return [];
  return inner.split(',').map((part) => {
    const code = part.trim();
    return (/^"(.*)"$/.exec(code)?.[1] ?? code).trim().toUpperCase();
  });
};
