/** An address without its escapes; null for one that is escaped in no known way. */
export const decodedOrNull = (address: string): string | null => {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
};

/** An address without its escapes, of which the unreadable ones are kept. */
export const decoded = (address: string): string =>
  address.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodedOrNull(escapes) ?? escapes);
