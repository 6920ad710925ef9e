import type { Database } from '../database/open.ts';
import { isLoopback } from './origin.ts';
import { BadSetting } from '../settings/bad-setting.ts';
import type { Settings } from '../settings/settings.ts';

type AddressSettings = Pick<Settings, 'host' | 'port' | 'publicUrl' | 'certificate' | 'trustedProxies'> & {
  /** the payment provider; undefined for the test gateway */
  provider: { isLive: boolean } | undefined;
};

/**
 * Checks that the shop knows an address that customers can open: links in e-mails, payments and
 * feeds use only known addresses.
 * @returns a warning for the operator; undefined without a problem
 * @throws BadSetting in live payment mode without PUBLIC_URL or a store's host
 */
export async function findAddressWarning(settings: AddressSettings, db: Database): Promise<string | undefined> {
  const { host, port, publicUrl, certificate, provider, trustedProxies } = settings;
  if (publicUrl !== undefined) return undefined;
  const stores = await db.selectFrom('stores').select('host').where('host', 'is not', null).execute();
  const storeHosts = stores.flatMap((store) => (store.host === null || isLoopback(store.host) ? [] : [store.host]));
  const advice = 'Set PUBLIC_URL to where customers reach the shop, like https://books.example';
  if (storeHosts[0] !== undefined) {
    const hasUsualPort = certificate ? port === 443 : port === 80 && trustedProxies === 0;
    const { origin } = new URL(`${certificate ? 'https' : 'http'}://${storeHosts[0]}:${port}`);
    return hasUsualPort ? undefined : `Links begin with ${origin}, where the shop listens. ${advice}, if that is wrong.`;
  }
  if (provider?.isLive)
    throw new BadSetting(
      `PAYMENT_MODE=live needs an address for links in e-mails and payments. ${advice}, or give a store a host.`,
    );
  const isReachable = !isLoopback(host) || trustedProxies !== 0;
  return isReachable
    ? `The shop answers under localhost and this machine's own addresses only. ${advice}, or give a store a host.`
    : undefined;
}
