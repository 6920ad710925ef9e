/** The path and the query of a request; the query begins with its question mark, or is empty. */
export function splitRequestUrl(url: string): { pathname: string; search: string } {
  const queryIndex = url.indexOf('?');
  const [pathname, search] = queryIndex === -1 ? [url, ''] : [url.slice(0, queryIndex), url.slice(queryIndex)];
  return { pathname: pathname || '/', search: search === '?' ? '' : search };
}
