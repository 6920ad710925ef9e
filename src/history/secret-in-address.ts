/**
 * The secret in the last segment of the path: the token of an e-mail's link, or a code to redeem;
 * machines only know that it exists.
 */
export const readPathSecret = ({ pathname }: { pathname: string } = location): string => {
  const lastSegment = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(lastSegment);
  } catch {
    return lastSegment;
  }
};

/** The value of a secret in the page's query, or null. */
export const readQuerySecret = (name: string, { search }: { search: string } = location): string | null =>
  new URLSearchParams(search).get(name);

/** Removes a used secret from the query, so that neither a reload nor Back uses it again. */
export const removeFromQuery = (name: string): void => {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  query.delete(name);
  const state: unknown = history.state;
  history.replaceState(state, '', pathname + (query.size > 0 ? `?${query.toString()}` : '') + hash);
  // Notifies the history port, as after Back.
  dispatchEvent(new PopStateEvent('popstate', { state }));
};
