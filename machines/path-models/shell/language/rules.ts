import type { languageMachine } from '../../../app/language.ts';
import { getPortOutput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof languageMachine>();

export const rules: Record<string, MachineRules> = {
  language: {
    rules: [
      always('a language is spoken only when its words are there, and the shop hears of it', (moment) => {
        const isLoaded = getPortOutput(moment, 'loadLanguage') !== undefined;
        const isSame = moment.before === null || moment.before.context.locale === moment.snapshot.context.locale;
        return (isLoaded || isSame) && getSentEvents(moment, 'language.changed').length === (isLoaded ? 1 : 0);
      }),
      invariant('what is wanted is spoken, once nothing is on its way', ({ context, value }) => {
        return value === 'loading' || context.wanted === context.locale;
      }),
    ],
  },
};
