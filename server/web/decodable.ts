/**
 * The address itself, or, where its path cannot be decoded, one whose percent signs are taken as they stand: that is
 * a wrong address, and gets the not-found page.
 */
export function decodable(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
