import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { languageMachine } from '../../machines/app/language.ts';
import { languageNames, languages } from '../../machines/model/store/language-names.ts';
import { ChoiceSelect } from '../ui/ChoiceSelect.tsx';
import { useApp, useAppActor } from './app-actor.ts';

const languageChoices = languages.map((locale) => ({ value: locale, text: languageNames[locale], lang: locale }));

/** Selects the shop's language. */
export const LanguageSelect = (): ReactElement => {
  const { t } = useLingui();
  const locale = useApp((context) => context.locale);
  const language = useSelector(
    useAppActor(),
    ({ children }) => children.language as ActorRefFrom<typeof languageMachine> | undefined,
  );
  return (
    <ChoiceSelect
      label={t`Language`}
      name="language"
      value={locale}
      choices={languageChoices}
      event="language.chosen"
      onChoose={(chosenLocale) => language?.send({ type: 'language.chosen', locale: chosenLocale })}
    />
  );
};
