/** How addresses are compared: in small letters. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();
