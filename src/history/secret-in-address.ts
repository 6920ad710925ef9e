/** The secret that the address ends in, as the link of a letter has it; machines only know that there is one. */
export const secretInAddress = ({ pathname }: { pathname: string } = location): string => {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

/** The secret that the address's query holds under this name, or null. */
export const secretInQuery = (name: string, { search }: { search: string } = location): string | null =>
  new URLSearchParams(search).get(name);

/** Takes it out of the address when it has done its work: neither a reload nor Back comes upon it again. */
export const dropFromQuery = (name: string): void => {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  query.delete(name);
  const state: unknown = history.state;
  history.replaceState(state, '', pathname + (query.size > 0 ? `?${query.toString()}` : '') + hash);
  // What the shop knows of its address follows, as after Back.
  dispatchEvent(new PopStateEvent('popstate', { state }));
};
