/**
 * Validates e-mail addresses, in forms and on the server alike (RFC 5321, section 4.1.2), including
 * quoted local parts and IP literals. This module has no imports, so that the server can use it
 * too.
 */

const atomPattern = String.raw`[a-z0-9!#$%&'*+/=?^_{|}~\u0060-]+`;
const quotedPattern = String.raw`"(?:[ !#-[\]-~]|\\[ -~])+"`;
const localPartPattern = new RegExp(String.raw`^(?:${atomPattern}(?:\.${atomPattern})*|${quotedPattern})$`, 'i');

/** The last label starts with a–z: a host that ends in a number is not a domain name. */
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Whether a text is an IPv6 address: eight groups of hex digits, of which `::` replaces one or
 * more, and the last two may be in IPv4 notation.
 */
const isIpv6 = (text: string): boolean => {
  const halves = text.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const lastGroup = groups.at(-1) ?? '';
  const endsInIpv4 = !text.endsWith(':') && ipv4Pattern.test(lastGroup);
  const digits = endsInIpv4 ? groups.slice(0, -1) : groups;
  const groupCount = digits.length + (endsInIpv4 ? 2 : 0);
  return (
    digits.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (halves.length === 1 ? groupCount === 8 : halves.length === 2 && groupCount < 8)
  );
};

const isIpLiteral = (text: string): boolean =>
  ipv4Pattern.test(text) || (/^ipv6:/i.test(text) && isIpv6(text.slice('ipv6:'.length)));

/** The longest address that mail servers accept, in characters. */
export const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_PART_CHARS = 64;

export const isEmail = (text: string): boolean => {
  const atIndex = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(atIndex, 0));
  const domain = text.slice(atIndex + 1);
  return (
    text.length <= MAX_EMAIL_CHARS &&
    localPart.length <= MAX_LOCAL_PART_CHARS &&
    localPartPattern.test(localPart) &&
    (domain.startsWith('[') && domain.endsWith(']') ? isIpLiteral(domain.slice(1, -1)) : domainPattern.test(domain))
  );
};
