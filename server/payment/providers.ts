import { forward, optional, partialCheck, pipe, transform, type GenericSchema } from 'valibot';
import { shopVariables } from '../settings/shop-variables.ts';
import { listed, oneOf, schemaOf, type Variables } from '../settings/variable.ts';
import type { PaymentProvider, ProviderVariable, ReadProvider } from './provider.ts';
import { razorpay } from './razorpay/provider.ts';
import { stripe } from './stripe/provider.ts';

/** The providers that take real payments. */
const providers: readonly PaymentProvider[] = [stripe, razorpay];

export type ChosenProvider = ReadProvider & { name: string; isLive: boolean };

/** The values of all variables of payments. */
type Given = Readonly<Record<string, string | undefined>>;

const names = providers.map(({ name }) => name);

/** The variables that choose a provider, and those of all providers. */
export const paymentVariables: Variables = {
  PAYMENT_PROVIDER: {
    schema: optional(oneOf(['test', ...names]), 'test'),
    says:
      'the provider of payments: the built-in `test`, or one with the variables below. [What to set at each, and what each cannot ' +
      'do](docs/decisions/2026-11-23-stripe-and-razorpay.md)',
  },
  PAYMENT_MODE: {
    schema: optional(oneOf(['live', 'test']), 'test'),
    says: '`live` takes real money. The shop does not start with test keys then, nor with others in `test`',
  },
  ...Object.fromEntries(
    providers.flatMap(({ name, variables }) =>
      Object.entries(variables).map(([variable, { says, ...rest }]) => [
        variable,
        { ...rest, says: `with \`PAYMENT_PROVIDER=${name}\`: ${says}` },
      ]),
    ),
  ),
};

/** A rule about one variable, once the choice of a provider can be read. */
const rule = (variable: string, holds: (given: Given) => boolean, says: (given: Given) => string) =>
  forward(
    partialCheck<Given, [[string], [string], [string]], Given, (issue: { input: Given }) => string>(
      [['PAYMENT_PROVIDER'], ['PAYMENT_MODE'], [variable]],
      holds,
      ({ input }) => says(input),
    ),
    [variable],
  );

/** Rules for a variable of a provider. */
function rulesOf(provider: string, name: string, { isNeeded, forms }: ProviderVariable) {
  const isChosen = ({ PAYMENT_PROVIDER }: Given): boolean => PAYMENT_PROVIDER === provider;
  /** A key of the other mode; a malformed one is of none. */
  const isOf = (mode: 'live' | 'test', given: Given): boolean => forms?.[mode].test(given[name] ?? '') === true;
  return [
    rule(
      name,
      (given) => isChosen(given) || given[name] === undefined,
      ({ PAYMENT_PROVIDER }) => `${name} is for PAYMENT_PROVIDER=${provider}, not ${PAYMENT_PROVIDER}.`,
    ),
    rule(
      name,
      (given) => !isChosen(given) || !isNeeded || given[name] !== undefined,
      () => `${name} is missing: PAYMENT_PROVIDER=${provider} needs it.`,
    ),
    rule(
      name,
      (given) => !isChosen(given) || given['PAYMENT_MODE'] !== 'test' || !isOf('live', given),
      () => `${name} takes real money, which PAYMENT_MODE=live has to allow.`,
    ),
    rule(
      name,
      (given) => !isChosen(given) || given['PAYMENT_MODE'] !== 'live' || !isOf('test', given),
      () => `${name} is a test key: PAYMENT_MODE=live asks for one that takes real money.`,
    ),
  ];
}

function chosenIn(given: Given): { provider: ChosenProvider | undefined } {
  const chosen = providers.find(({ name }) => name === given['PAYMENT_PROVIDER']);
  if (chosen === undefined) return { provider: undefined };
  const values = Object.fromEntries(Object.keys(chosen.variables).map((name) => [name, given[name] ?? '']));
  return { provider: { name: chosen.name, isLive: given['PAYMENT_MODE'] === 'live', ...chosen.readSettings(values) } };
}

/**
 * The variables of payments, with the rules between them. Keys for a provider that is not chosen
 * are refused: the operator means to be paid by it.
 */
const checkedVariables = pipe(
  schemaOf({ ...paymentVariables, PAYMENT_GATEWAY_URL: shopVariables.PAYMENT_GATEWAY_URL }) as GenericSchema<Given>,
  rule(
    'PAYMENT_MODE',
    (given) => given['PAYMENT_MODE'] === 'test' || given['PAYMENT_PROVIDER'] !== 'test',
    () => `PAYMENT_MODE=live needs PAYMENT_PROVIDER=${listed(names)}: the test gateway takes no money.`,
  ),
  rule(
    'PAYMENT_GATEWAY_URL',
    (given) => given['PAYMENT_GATEWAY_URL'] === undefined || given['PAYMENT_PROVIDER'] === 'test',
    ({ PAYMENT_PROVIDER }) => `PAYMENT_GATEWAY_URL is for PAYMENT_PROVIDER=test, not ${PAYMENT_PROVIDER}.`,
  ),
  ...providers.flatMap(({ name: provider, variables }) =>
    Object.entries(variables).flatMap(([name, variable]) => rulesOf(provider, name, variable)),
  ),
);

/** The provider that payments go by; undefined for the test gateway. */
export const paymentSettings = pipe(checkedVariables, transform(chosenIn));
