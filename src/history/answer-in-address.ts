/** The provider's answer in the return address; missing parts are empty. Machines never see it. */
export type ProviderAnswer = { state: string; code: string; error: string; issuer: string };

export const readProviderAnswer = ({ search }: { search: string } = location): ProviderAnswer => {
  const query = new URLSearchParams(search);
  const textOf = (name: string): string => query.get(name) ?? '';
  return { state: textOf('state'), code: textOf('code'), error: textOf('error'), issuer: textOf('iss') };
};
