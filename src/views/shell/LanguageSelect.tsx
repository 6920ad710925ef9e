import { chakra } from '@chakra-ui/react/styled-system';
import { Trans } from '@lingui/react/macro';
import type { ChangeEvent, ReactElement } from 'react';
import { locales, type Locale } from '../../../machines/model/language.ts';
import { useApp, useAppActor } from '../app-actor.ts';

/** Each in its own words, for those who cannot read the others. */
const ownNames: Record<Locale, string> = { en: 'English', zh: '中文', es: 'Español', fr: 'Français', it: 'Italiano' };

/** The language that the shop speaks. */
export const LanguageSelect = (): ReactElement => {
  const actor = useAppActor();
  const locale = useApp((context) => context.locale);
  const choose = ({ currentTarget }: ChangeEvent<HTMLSelectElement>): void => {
    const chosen = locales.find((each) => each === currentTarget.value);
    if (chosen !== undefined) actor.send({ type: 'language.chosen', locale: chosen });
  };
  return (
    <chakra.label display="inline-flex" alignItems="center" gap={2}>
      <Trans>Language</Trans>
      <chakra.select
        value={locale}
        onChange={choose}
        data-event="language.chosen"
        minHeight={10}
        px={3}
        bg="surface"
        color="ink"
        borderRadius="md"
      >
        {locales.map((each) => (
          <option key={each} value={each} lang={each}>
            {ownNames[each]}
          </option>
        ))}
      </chakra.select>
    </chakra.label>
  );
};
