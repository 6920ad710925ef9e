/**
 * What an e-mail address is, in the form and at the server alike: a standard address (RFC 5321, section 4.1.2), so quoted local
 * parts and IP literals too. It imports nothing, so that the server may read it as well.
 */

const atom = String.raw`[a-z0-9!#$%&'*+/=?^_{|}~\u0060-]+`;
const quoted = String.raw`"(?:[ !#-[\]-~]|\\[ -~])+"`;
const localPart = new RegExp(String.raw`^(?:${atom}(?:\.${atom})*|${quoted})$`, 'i');

/** The last label begins with a letter: what ends in a number is no name. */
const name = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Eight groups of digits, of which `::` stands for at least one; the last two may be written as IPv4. */
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

const isLiteral = (text: string): boolean => ipv4.test(text) || (/^ipv6:/i.test(text) && isIpv6(text.slice('ipv6:'.length)));

/** Longer ones no mail server takes. */
export const longestEmail = 254;
const longestLocalPart = 64;

export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  return (
    text.length <= longestEmail &&
    local.length <= longestLocalPart &&
    localPart.test(local) &&
    (domain.startsWith('[') && domain.endsWith(']') ? isLiteral(domain.slice(1, -1)) : name.test(domain))
  );
};
