import type { TaxRequest, taxMachine } from '../../../buying/tax.ts';
import { toTax, type TaxQuote } from '../../../model/buying/tax.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, isSame, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const tax = rulesFor<typeof taxMachine>();

export const taxRules: MachineRules = {
  rules: [
    tax.always('a tax that is known is told, and one that is not lets nobody pay', (moment) => {
      const quote = getPortOutput<TaxQuote>(moment, 'taxQuote');
      if (quote === undefined) return true;
      const told = getSentEvents(moment, 'tax.told');
      const known = toTax(quote);
      return known === null
        ? told.length === 0 && moment.snapshot.matches('choosing')
        : told.length === 1 && isSame(told[0]?.['tax'], known) && moment.snapshot.matches('quoted');
    }),
    tax.always('where another place is chosen, the tax of the first is taken back, and that of the other asked for', (moment) => {
      const { event, before, snapshot } = moment;
      if (event.type !== 'place.chosen' || before?.matches('none') === true || before?.matches('outdated') === true) return true;
      if (before === null) return true;
      const asked = getPortInput<TaxRequest>(moment, 'taxQuote');
      const isTakenBack = !before.matches('quoted') || getSentEvents(moment, 'tax.told').some((told) => told['tax'] === null);
      return asked !== undefined && isSame(asked.place, event.place) && snapshot.matches('asking') && isTakenBack;
    }),
    tax.always('a price that is no longer so is told; any other failure can be tried again', (moment) => {
      const problem = getPortProblem(moment, 'taxQuote');
      if (problem === null) return true;
      const isOutdated = problem.kind === 'refused' && problem.code === 'price_changed';
      return isOutdated
        ? getSentEvents(moment, 'tax.outdated').length === 1 && moment.snapshot.matches('outdated')
        : moment.snapshot.matches('failed') && isSame(moment.snapshot.context.problem, problem);
    }),
    tax.always('tax is asked for what is bought, at its price', (moment) => {
      const asked = getPortInput<TaxRequest>(moment, 'taxQuote');
      if (asked === undefined) return true;
      const { of, titleId, price } = moment.snapshot.context;
      return isSame([asked.of, asked.titleId, asked.price], [of, titleId, price]);
    }),
    tax.always('where tax is due, it is asked for at once', (moment) => {
      const { isDue } = moment.snapshot.context;
      return moment.before !== null || isDue === (getPortInput(moment, 'taxQuote') !== undefined);
    }),
    tax.invariant('where no tax is due, none is asked for', ({ value, context }) => context.isDue || value === 'none'),
    tax.always('before anything is answered, nothing is known, and no place is chosen', ({ before, snapshot: { context } }) => {
      return before !== null || isSame([context.place, context.quote, context.problem], [null, null, null]);
    }),
    tax.always('an answer is kept, and ends the failure before it', (moment) => {
      const quote = getPortOutput<TaxQuote>(moment, 'taxQuote');
      const { context } = moment.snapshot;
      return quote === undefined || (isSame(context.quote, quote) && context.problem === null);
    }),
    tax.always('to try again asks for the place that is chosen', (moment) => {
      const { event, before } = moment;
      if (event.type !== 'retry.pressed' || before?.matches('failed') !== true) return true;
      return isSame(getPortInput<TaxRequest>(moment, 'taxQuote')?.place, before.context.place);
    }),
    tax.leadsTo('tax that is asked for comes, or a word why not', {
      after: (moment) => getPortInput(moment, 'taxQuote') !== undefined,
      to: ({ snapshot }) => !snapshot.matches('asking'),
    }),
  ],
  pressable: {
    'tax.asking': ['place.chosen'],
    'tax.quoted': ['place.chosen'],
    'tax.choosing': ['place.chosen'],
    'tax.failed': ['place.chosen', 'retry.pressed'],
  },
  externalExits: { 'tax.outdated': 'the summary shows that the price has changed, as it was told to' },
};
