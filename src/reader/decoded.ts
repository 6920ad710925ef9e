/** An address without its escapes; null for one that is escaped in no known way. */
export const decodedOrNull = (address: string): string | null => {
  try {
    return decodeURIComponent(address);
  } catch {
    return null;
  }
};

/** An address without its escapes, or as it is where they cannot be read. */
export const decoded = (address: string): string => decodedOrNull(address) ?? address;
