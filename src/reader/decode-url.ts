/** A percent-decoded address; null for an invalid encoding. */
export const decodeOrNull = (address: string): string | null => {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
};

/** A percent-decoded address; invalid escapes stay as they are. */
export const decode = (address: string): string =>
  address.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeOrNull(escapes) ?? escapes);
