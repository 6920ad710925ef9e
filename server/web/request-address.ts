/** The path and the query of a request; the query begins with its question mark, or is empty. */
export function splitRequestUrl(url: string): { pathname: string; search: string } {
  const at = url.indexOf('?');
  const [pathname, search] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  return { pathname: pathname || '/', search: search === '?' ? '' : search };
}
