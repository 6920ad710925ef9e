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
    description:
      'the provider of payments: the built-in `test`, or one with the variables below. [What to set at each, and what each cannot ' +
      'do](decisions/2026-11-23-stripe-and-razorpay.md)',
  },
  PAYMENT_MODE: {
    schema: optional(oneOf(['live', 'test']), 'test'),
    description: '`live` takes real money. The shop does not start with test keys then, nor with others in `test`',
  },
  ...Object.fromEntries(
    providers.flatMap(({ name, variables }) =>
      Object.entries(variables).map(([variable, { description, ...declaration }]) => [
        variable,
        { ...declaration, description: `with \`PAYMENT_PROVIDER=${name}\`: ${description}` },
      ]),
    ),
  ),
};

/** Creates a check of one variable against the selected provider and mode. */
const createRule = (
  variable: string,
  isValid: (environment: EnvironmentVariables) => boolean,
  formatMessage: (environment: EnvironmentVariables) => string,
) =>
  forward(
    partialCheck<
      EnvironmentVariables,
      [[string], [string], [string]],
      EnvironmentVariables,
      (issue: { input: EnvironmentVariables }) => string
    >([['PAYMENT_PROVIDER'], ['PAYMENT_MODE'], [variable]], isValid, ({ input }) => formatMessage(input)),
    [variable],
  );

/** Creates the checks of a provider's variable. */
function createRules(provider: string, name: string, { isRequired, keyPatterns }: ProviderVariable) {
  const isSelected = ({ PAYMENT_PROVIDER }: EnvironmentVariables): boolean => PAYMENT_PROVIDER === provider;
  /** False also for a malformed key, which the variable's schema reports. */
  const hasKeyOfMode = (mode: 'live' | 'test', environment: EnvironmentVariables): boolean =>
    keyPatterns?.[mode].test(environment[name] ?? '') === true;
  return [
    createRule(
      name,
      (environment) => isSelected(environment) || environment[name] === undefined,
      ({ PAYMENT_PROVIDER }) => `${name} is for PAYMENT_PROVIDER=${provider}, not ${PAYMENT_PROVIDER}.`,
    ),
    createRule(
      name,
      (environment) => !isSelected(environment) || !isRequired || environment[name] !== undefined,
      () => `${name} is missing: PAYMENT_PROVIDER=${provider} needs it.`,
    ),
    createRule(
      name,
      (environment) => !isSelected(environment) || environment['PAYMENT_MODE'] !== 'test' || !hasKeyOfMode('live', environment),
      () => `${name} is a live key: it needs PAYMENT_MODE=live.`,
    ),
    createRule(
      name,
      (environment) => !isSelected(environment) || environment['PAYMENT_MODE'] !== 'live' || !hasKeyOfMode('test', environment),
      () => `${name} is a test key: PAYMENT_MODE=live needs a live key.`,
    ),
  ];
}

function chooseProvider(environment: EnvironmentVariables): { provider: ChosenProvider | undefined } {
  const provider = providers.find(({ name }) => name === environment['PAYMENT_PROVIDER']);
  if (provider === undefined) return { provider: undefined };
  const values = Object.fromEntries(Object.keys(provider.variables).map((name) => [name, environment[name] ?? '']));
  return { provider: { name: provider.name, isLive: environment['PAYMENT_MODE'] === 'live', ...provider.readSettings(values) } };
}

/**
 * The schema of the payment variables, with the checks between them. Keys of a provider that is not
 * selected are refused: the operator expects payments through it.
 */
const checkedVariables = pipe(
  createSchema({
    ...paymentVariables,
    PAYMENT_GATEWAY_URL: shopVariables.PAYMENT_GATEWAY_URL,
  }) as GenericSchema<EnvironmentVariables>,
  createRule(
    'PAYMENT_MODE',
    (environment) => environment['PAYMENT_MODE'] === 'test' || environment['PAYMENT_PROVIDER'] !== 'test',
    () => `PAYMENT_MODE=live needs PAYMENT_PROVIDER=${formatChoices(providerNames)}: the test gateway takes no money.`,
  ),
  createRule(
    'PAYMENT_GATEWAY_URL',
    (environment) => environment['PAYMENT_GATEWAY_URL'] === undefined || environment['PAYMENT_PROVIDER'] === 'test',
    ({ PAYMENT_PROVIDER }) => `PAYMENT_GATEWAY_URL is for PAYMENT_PROVIDER=test, not ${PAYMENT_PROVIDER}.`,
  ),
  ...providers.flatMap(({ name: provider, variables }) =>
    Object.entries(variables).flatMap(([name, variable]) => createRules(provider, name, variable)),
  ),
);

/** The selected provider; undefined for the test gateway. */
export const paymentSettings = pipe(checkedVariables, transform(chooseProvider));
