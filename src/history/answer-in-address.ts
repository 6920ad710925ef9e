/**
 * The sign-in provider's answer in the query of the return URL; missing parameters are empty.
 * Machines never get it.
 */
export type ProviderAnswer = { state: string; code: string; error: string; issuer: string };

export const readProviderAnswer = ({ search }: { search: string } = location): ProviderAnswer => {
  const query = new URLSearchParams(search);
  const getParameter = (name: string): string => query.get(name) ?? '';
  return { state: getParameter('state'), code: getParameter('code'), error: getParameter('error'), issuer: getParameter('iss') };
};
