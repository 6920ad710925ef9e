import { BadSetting } from '../settings/settings.ts';
import type { KeyForms, PaymentProvider, ReadProvider } from './provider.ts';
import { razorpay } from './razorpay/provider.ts';
import { stripe } from './stripe/provider.ts';

/** The providers that take real payments. */
const registered: readonly PaymentProvider[] = [stripe, razorpay];

export type ChosenProvider = ReadProvider & { name: string; isLive: boolean };

/** "test, stripe or razorpay" */
const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

function readMode(environment: NodeJS.ProcessEnv): { isLive: boolean } {
  const mode = environment['PAYMENT_MODE'] || 'test';
  if (mode !== 'live' && mode !== 'test') throw new BadSetting(`PAYMENT_MODE must be live or test, not "${mode}".`);
  return { isLive: mode === 'live' };
}

/** A key that says itself whether it takes real money must be of the shop's mode. */
function refuseOtherMode(name: string, key: string, forms: KeyForms, isLive: boolean): void {
  const keyIsLive = forms.live.test(key);
  if (!keyIsLive && !forms.test.test(key)) throw new BadSetting(`${name} is not a key of this provider.`);
  if (keyIsLive && !isLive) throw new BadSetting(`${name} takes real money, which PAYMENT_MODE=live has to allow.`);
  if (!keyIsLive && isLive) throw new BadSetting(`${name} is a test key: PAYMENT_MODE=live asks for one that takes real money.`);
}

/**
 * Reads PAYMENT_PROVIDER, PAYMENT_MODE and the provider's keys. Keys for a provider that is not
 * chosen are refused: the operator means to be paid by it.
 * @returns undefined for the test gateway
 * @throws BadSetting
 */
export function readProvider(
  environment: NodeJS.ProcessEnv,
  providers: readonly PaymentProvider[] = registered,
): ChosenProvider | undefined {
  const name = environment['PAYMENT_PROVIDER'] || 'test';
  const chosen = providers.find((each) => each.name === name);
  const names = providers.map((each) => each.name);
  if (!chosen && name !== 'test') throw new BadSetting(`PAYMENT_PROVIDER must be ${listed(['test', ...names])}, not "${name}".`);
  for (const other of providers)
    for (const variable of other.variables)
      if (other !== chosen && environment[variable])
        throw new BadSetting(`${variable} is for PAYMENT_PROVIDER=${other.name}, not ${name}.`);
  const { isLive } = readMode(environment);
  if (!chosen) {
    if (isLive)
      throw new BadSetting(`PAYMENT_MODE=live needs PAYMENT_PROVIDER=${listed(names)}: the test gateway takes no money.`);
    return undefined;
  }
  if (environment['PAYMENT_GATEWAY_URL']) throw new BadSetting('PAYMENT_GATEWAY_URL is for PAYMENT_PROVIDER=test.');
  const needed = (variable: string): string => {
    const value = environment[variable];
    if (!value) throw new BadSetting(`${variable} is missing: PAYMENT_PROVIDER=${name} needs it.`);
    return value;
  };
  const ofMode = (variable: string, key: string, forms: KeyForms): string => {
    if (key !== '') refuseOtherMode(variable, key, forms, isLive);
    return key;
  };
  const read = chosen.readSettings({
    needed,
    neededKey: (variable, forms) => ofMode(variable, needed(variable), forms),
    key: (variable, forms) => ofMode(variable, environment[variable] ?? '', forms),
  });
  return { name, isLive, ...read };
}
