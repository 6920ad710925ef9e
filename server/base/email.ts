/** The comparison key of an address: trimmed, NFC, lower case. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();
