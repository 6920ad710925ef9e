import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import { formatCount, formatDay, formatDuration, getLanguageName } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { formatLabels } from './medium-labels.tsx';

type Fact = { key: string; name: ReactNode; value: ReactNode };

const getFacts = (title: Title, locale: string): Fact[] => {
  const formatNumber = (value: number | null): string => (value === null ? '' : formatCount(value, locale));
  const facts: Fact[] = [
    { key: 'format', name: <Trans>Format</Trans>, value: formatLabels[title.medium] },
    { key: 'pages', name: <Trans>Pages</Trans>, value: formatNumber(title.pages) },
    { key: 'words', name: <Trans>Words</Trans>, value: formatNumber(title.wordCount) },
    {
      key: 'duration',
      name: <Trans>Duration</Trans>,
      value: title.durationSeconds === null ? '' : formatDuration(title.durationSeconds),
    },
    {
      key: 'language',
      name: <Trans>Language</Trans>,
      value: title.language === '' ? '' : getLanguageName(title.language, locale),
    },
    { key: 'publisher', name: <Trans>Publisher</Trans>, value: title.publisher },
    { key: 'published', name: <Trans>Published</Trans>, value: formatDay(title.publishedDate, locale) },
    { key: 'isbn', name: <Trans>ISBN</Trans>, value: title.isbn },
  ];
  return facts.filter(({ value }) => value !== '');
};

/** The known facts of a title, as a table of two columns. */
export const Facts = ({ title }: { title: Title }): ReactElement => {
  const { t, i18n } = useLingui();
  return (
    <chakra.section aria-label={t`Details`}>
      <chakra.h2 fontSize="xl" mb={2}>
        {t`Details`}
      </chakra.h2>
      <dl>
        {getFacts(title, i18n.locale).map(({ key, name, value }) => (
          <chakra.div
            key={key}
            display="grid"
            gridTemplateColumns={{ base: '8rem 1fr', md: '12rem 1fr' }}
            gap={4}
            py={2.5}
            borderBottom="1px solid"
            borderColor="line"
          >
            <chakra.dt color="inkMuted">{name}</chakra.dt>
            <dd>{value}</dd>
          </chakra.div>
        ))}
      </dl>
    </chakra.section>
  );
};
