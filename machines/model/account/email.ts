/**
 * Validates e-mail addresses, in forms and on the server alike (RFC 5321, section 4.1.2), including
 * quoted local parts and IP literals. It has no imports, so that the server can use it as well.
 */

const atom = String.raw`[a-z0-9!#$%&'*+/=?^_{|}~\u0060-]+`;
const quoted = String.raw`"(?:[ !#-[\]-~]|\\[ -~])+"`;
const localPart = new RegExp(String.raw`^(?:${atom}(?:\.${atom})*|${quoted})$`, 'i');

/** The last label starts with a–z: a host that ends in a number is not a domain name. */
const name = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/**
 * Eight groups of hex digits; `::` replaces one or more of them, and the last two may be in IPv4
 * notation.
 */
const isIpv6 = (text: string): boolean => {
  const halves = text.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const endsInIpv4 = !text.endsWith(':') && ipv4.test(last);
  const digits = endsInIpv4 ? groups.slice(0, -1) : groups;
  const count = digits.length + (endsInIpv4 ? 2 : 0);
  return (
    digits.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (halves.length === 1 ? count === 8 : halves.length === 2 && count < 8)
  );
};

const isIpLiteral = (text: string): boolean => ipv4.test(text) || (/^ipv6:/i.test(text) && isIpv6(text.slice('ipv6:'.length)));

/** The maximum length that mail servers accept. */
export const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_PART_CHARS = 64;

export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  return (
    text.length <= MAX_EMAIL_CHARS &&
    local.length <= MAX_LOCAL_PART_CHARS &&
    localPart.test(local) &&
    (domain.startsWith('[') && domain.endsWith(']') ? isIpLiteral(domain.slice(1, -1)) : name.test(domain))
  );
};
