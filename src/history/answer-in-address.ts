/** What a provider says in the address that it leads back to; empty where it does not. Machines never see it. */
export type ProviderAnswer = { state: string; code: string; error: string; issuer: string };

export const answerInAddress = ({ search }: { search: string } = location): ProviderAnswer => {
  const query = new URLSearchParams(search);
  const textOf = (name: string): string => query.get(name) ?? '';
  return { state: textOf('state'), code: textOf('code'), error: textOf('error'), issuer: textOf('iss') };
};
