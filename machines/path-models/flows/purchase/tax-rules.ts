import type { TaxRequest, taxMachine } from '../../../buying/tax.ts';
import { toTax, type TaxQuote } from '../../../model/buying/tax.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const tax = rulesFor<typeof taxMachine>();

export const taxRules: MachineRules = {
  rules: [
    tax.always('a known tax is sent to the summary, and an unknown one is not', (moment) => {
      const quote = getPortOutput<TaxQuote>(moment, 'taxQuote');
      if (quote === undefined) return true;
      const sentTaxes = getSentEvents(moment, 'tax.changed');
      const knownTax = toTax(quote);
      return knownTax === null
        ? sentTaxes.length === 0 && moment.snapshot.matches('choosing')
        : sentTaxes.length === 1 && isSameJson(sentTaxes[0]?.['tax'], knownTax) && moment.snapshot.matches('quoted');
    }),
    tax.always('another location withdraws the known tax and requests the tax of the new location', (moment) => {
      const { event, before, snapshot } = moment;
      if (event.type !== 'taxLocation.chosen' || before?.matches('none') === true || before?.matches('outdated') === true)
        return true;
      if (before === null) return true;
      const input = getPortInput<TaxRequest>(moment, 'taxQuote');
      const isWithdrawn =
        !before.matches('quoted') || getSentEvents(moment, 'tax.changed').some((sentEvent) => sentEvent['tax'] === null);
      return input !== undefined && isSameJson(input.place, event.place) && snapshot.matches('asking') && isWithdrawn;
    }),
    tax.always('an outdated price is reported, and any other failure can be retried', (moment) => {
      const problem = getPortProblem(moment, 'taxQuote');
      if (problem === null) return true;
      const isOutdated = problem.kind === 'refused' && problem.code === 'price_changed';
      return isOutdated
        ? getSentEvents(moment, 'tax.outdated').length === 1 && moment.snapshot.matches('outdated')
        : moment.snapshot.matches('failed') && isSameJson(moment.snapshot.context.problem, problem);
    }),
    tax.always('tax is requested for the goods at their price', (moment) => {
      const input = getPortInput<TaxRequest>(moment, 'taxQuote');
      if (input === undefined) return true;
      const { of, titleId, price } = moment.snapshot.context;
      return isSameJson([input.of, input.titleId, input.price], [of, titleId, price]);
    }),
    tax.always('tax is requested at the start exactly if it is due', (moment) => {
      const { isDue } = moment.snapshot.context;
      return moment.before !== null || isDue === (getPortInput(moment, 'taxQuote') !== undefined);
    }),
    tax.invariant('tax is never requested if none is due', ({ value, context }) => context.isDue || value === 'none'),
    tax.always('the initial context has no location, quote or problem', ({ before, snapshot: { context } }) => {
      return before !== null || isSameJson([context.place, context.quote, context.problem], [null, null, null]);
    }),
    tax.always('a tax quote is kept and clears the earlier problem', (moment) => {
      const quote = getPortOutput<TaxQuote>(moment, 'taxQuote');
      const { context } = moment.snapshot;
      return quote === undefined || (isSameJson(context.quote, quote) && context.problem === null);
    }),
    tax.always('a retry requests the tax of the chosen location', (moment) => {
      const { event, before } = moment;
      if (event.type !== 'retry.pressed' || before?.matches('failed') !== true) return true;
      return isSameJson(getPortInput<TaxRequest>(moment, 'taxQuote')?.place, before.context.place);
    }),
    tax.leadsTo('the tax loads or its failure is shown', {
      after: (moment) => getPortInput(moment, 'taxQuote') !== undefined,
      to: ({ snapshot }) => !snapshot.matches('asking'),
    }),
  ],
  pressable: {
    'tax.asking': ['taxLocation.chosen'],
    'tax.quoted': ['taxLocation.chosen'],
    'tax.choosing': ['taxLocation.chosen'],
    'tax.failed': ['taxLocation.chosen', 'retry.pressed'],
  },
  externalExits: { 'tax.outdated': 'the summary shows that the price has changed' },
};
