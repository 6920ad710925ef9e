import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { languageMachine } from '../../machines/app/language.ts';
import { languageNames, languages } from '../../machines/model/store/language-names.ts';
import { ChoiceSelect } from '../ui/ChoiceSelect.tsx';
import { useApp, useAppActor } from './app-actor.ts';

const choices = languages.map((locale) => ({ value: locale, text: languageNames[locale], lang: locale }));

/** The language that the shop speaks. */
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
      choices={choices}
      event="language.chosen"
      onChoose={(chosen) => language?.send({ type: 'language.chosen', locale: chosen })}
    />
  );
};
