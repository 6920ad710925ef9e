/**
 * The secret at the end of the address, from the link of an e-mail; machines only know that it
 * exists.
 */
export const readPathSecret = ({ pathname }: { pathname: string } = location): string => {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

/** The value of a secret in the address's query, or null. */
export const readQuerySecret = (name: string, { search }: { search: string } = location): string | null =>
  new URLSearchParams(search).get(name);

/** Removes a used secret from the address, so that neither a reload nor Back uses it again. */
export const removeFromQuery = (name: string): void => {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  query.delete(name);
  const state: unknown = history.state;
  history.replaceState(state, '', pathname + (query.size > 0 ? `?${query.toString()}` : '') + hash);
  // Notifies the shop's address state, as after Back.
  dispatchEvent(new PopStateEvent('popstate', { state }));
};
