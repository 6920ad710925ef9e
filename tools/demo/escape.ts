const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text made safe for XML and HTML, in elements and in double-quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
