import type { languageMachine } from '../../../app/language.ts';
import { getPortOutput, rulesFor, getSentEvents } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant } = rulesFor<typeof languageMachine>();

export const rules: Record<string, MachineRules> = {
  language: {
    rules: [
      always('only a loaded language changes the locale and sends language.changed', (moment) => {
        const isLoaded = getPortOutput(moment, 'loadLanguage') !== undefined;
        const isSame = moment.before === null || moment.before.context.locale === moment.snapshot.context.locale;
        return (isLoaded || isSame) && getSentEvents(moment, 'language.changed').length === (isLoaded ? 1 : 0);
      }),
      invariant('the requested locale is active unless it is still loading', ({ context, value }) => {
        return value === 'loading' || context.wanted === context.locale;
      }),
    ],
  },
};
