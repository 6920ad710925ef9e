/** An address without its escapes; null for an invalid encoding. */
export const decodeOrNull = (address: string): string | null => {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
};

/** An address without its escapes; invalid ones are kept. */
export const decode = (address: string): string =>
  address.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeOrNull(escapes) ?? escapes);
