// A standard address: dotted atoms or a quoted local part, at a domain name or an IP literal.
const LOCAL = String.raw`(?:[a-z0-9!#$%&'*+/=?^_{|}~\u0060-]+(?:\.[a-z0-9!#$%&'*+/=?^_{|}~\u0060-]+)*|"[^"\\\r\n]{1,60}")`;
const DOMAIN = String.raw`(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}|\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]+)\])`;
const ADDRESS = new RegExp(`^${LOCAL}@${DOMAIN}$`, 'i');

export const isEmail = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

/** How addresses are compared: in small letters. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();
