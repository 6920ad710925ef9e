import type { Database } from './database/open.ts';
import { isLoopback } from './origin.ts';
import { BadSetting, type Settings } from './settings.ts';

/**
 * Tells the operator of a shop that others can reach how to name its public address: links in e-mails are made of known
 * addresses only, so without one customers get none that they can open.
 * @returns undefined where the address is known, or the shop listens to this machine alone
 * @throws BadSetting in live payment mode
 */
export async function addressWarning(
  { host, publicUrl, provider, trustedProxies }: Pick<Settings, 'host' | 'publicUrl' | 'provider' | 'trustedProxies'>,
  db: Database,
): Promise<string | undefined> {
  if (publicUrl !== undefined || isLoopback(host)) return undefined;
  const named = await db.selectFrom('stores').select('host').where('host', 'is not', null).execute();
  const isNamed = named.some((store) => store.host !== null && !isLoopback(store.host));
  if (!isNamed) {
    const advice = `Set PUBLIC_URL to where customers reach the shop, like https://books.example, or give a store a host.`;
    if (provider?.isLive) throw new BadSetting(`PAYMENT_MODE=live needs an address for links in e-mails and payments. ${advice}`);
    return `The shop answers under localhost and this machine's own addresses only. ${advice}`;
  }
  return trustedProxies === 0
    ? undefined
    : 'TRUST_PROXY is set without PUBLIC_URL: links carry the scheme and port that the shop itself listens to, not those of the proxy.';
}
