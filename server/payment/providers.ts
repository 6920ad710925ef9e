import { forward, optional, partialCheck, pipe, transform, type GenericSchema } from 'valibot';
import { shopVariables } from '../settings/shop-variables.ts';
import { formatChoices, oneOf, createSchema, type Variables } from '../settings/variable.ts';
import type { PaymentProvider, ProviderVariable, ConfiguredProvider } from './provider.ts';
import { razorpay } from './razorpay/provider.ts';
import { stripe } from './stripe/provider.ts';

/** The providers that take real payments. */
const providers: readonly PaymentProvider[] = [stripe, razorpay];

export type ChosenProvider = ConfiguredProvider & { name: string; isLive: boolean };

/** The values of all payment variables. */
type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const providerNames = providers.map(({ name }) => name);

/** The variables that select a provider, and those of all providers. */
export const paymentVariables: Variables = {
  PAYMENT_PROVIDER: {
    schema: optional(oneOf(['test', ...providerNames]), 'test'),
    says:
      'the provider of payments: the built-in `test`, or one with the variables below. [What to set at each, and what each cannot ' +
      'do](decisions/2026-11-23-stripe-and-razorpay.md)',
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

/** A check of one variable against the selected provider and mode. */
const createRule = (
  variable: string,
  holds: (given: EnvironmentVariables) => boolean,
  says: (given: EnvironmentVariables) => string,
) =>
  forward(
    partialCheck<
      EnvironmentVariables,
      [[string], [string], [string]],
      EnvironmentVariables,
      (issue: { input: EnvironmentVariables }) => string
    >([['PAYMENT_PROVIDER'], ['PAYMENT_MODE'], [variable]], holds, ({ input }) => says(input)),
    [variable],
  );

/** Checks for a variable of a provider. */
function createRules(provider: string, name: string, { isNeeded, forms }: ProviderVariable) {
  const isChosen = ({ PAYMENT_PROVIDER }: EnvironmentVariables): boolean => PAYMENT_PROVIDER === provider;
  /** False for a malformed key, which the variable's schema reports. */
  const isOf = (mode: 'live' | 'test', given: EnvironmentVariables): boolean => forms?.[mode].test(given[name] ?? '') === true;
  return [
    createRule(
      name,
      (given) => isChosen(given) || given[name] === undefined,
      ({ PAYMENT_PROVIDER }) => `${name} is for PAYMENT_PROVIDER=${provider}, not ${PAYMENT_PROVIDER}.`,
    ),
    createRule(
      name,
      (given) => !isChosen(given) || !isNeeded || given[name] !== undefined,
      () => `${name} is missing: PAYMENT_PROVIDER=${provider} needs it.`,
    ),
    createRule(
      name,
      (given) => !isChosen(given) || given['PAYMENT_MODE'] !== 'test' || !isOf('live', given),
      () => `${name} is a live key: it needs PAYMENT_MODE=live.`,
    ),
    createRule(
      name,
      (given) => !isChosen(given) || given['PAYMENT_MODE'] !== 'live' || !isOf('test', given),
      () => `${name} is a test key: PAYMENT_MODE=live needs a live key.`,
    ),
  ];
}

function chooseProvider(given: EnvironmentVariables): { provider: ChosenProvider | undefined } {
  const chosen = providers.find(({ name }) => name === given['PAYMENT_PROVIDER']);
  if (chosen === undefined) return { provider: undefined };
  const values = Object.fromEntries(Object.keys(chosen.variables).map((name) => [name, given[name] ?? '']));
  return { provider: { name: chosen.name, isLive: given['PAYMENT_MODE'] === 'live', ...chosen.readSettings(values) } };
}

/**
 * The payment variables and the checks between them. Keys of a provider that is not selected are
 * refused: the operator expects payments through it.
 */
const checkedVariables = pipe(
  createSchema({
    ...paymentVariables,
    PAYMENT_GATEWAY_URL: shopVariables.PAYMENT_GATEWAY_URL,
  }) as GenericSchema<EnvironmentVariables>,
  createRule(
    'PAYMENT_MODE',
    (given) => given['PAYMENT_MODE'] === 'test' || given['PAYMENT_PROVIDER'] !== 'test',
    () => `PAYMENT_MODE=live needs PAYMENT_PROVIDER=${formatChoices(providerNames)}: the test gateway takes no money.`,
  ),
  createRule(
    'PAYMENT_GATEWAY_URL',
    (given) => given['PAYMENT_GATEWAY_URL'] === undefined || given['PAYMENT_PROVIDER'] === 'test',
    ({ PAYMENT_PROVIDER }) => `PAYMENT_GATEWAY_URL is for PAYMENT_PROVIDER=test, not ${PAYMENT_PROVIDER}.`,
  ),
  ...providers.flatMap(({ name: provider, variables }) =>
    Object.entries(variables).flatMap(([name, variable]) => createRules(provider, name, variable)),
  ),
);

/** The selected provider; undefined for the test gateway. */
export const paymentSettings = pipe(checkedVariables, transform(chooseProvider));
