import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { viewerPath } from '../../../machines/model/paths.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { ScrollRow } from '../../ui/ScrollRow.ts';
import { TextLink } from '../../ui/TextLink.tsx';

const Row = chakra(ScrollRow, {
  base: { gridAutoColumns: { base: 'min(17rem, 84%)', md: '18.5rem' }, gap: { base: 3, md: 4 }, pt: 1, pb: 3 },
});

const Card = chakra(TextLink, {
  base: {
    display: 'grid',
    gridTemplateColumns: '4rem minmax(0, 1fr)',
    alignItems: 'center',
    gap: 4,
    height: '100%',
    p: 3,
    bg: 'surface',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'md',
    boxShadow: 'card',
    _hover: { borderColor: 'accentInk', '& [data-name]': { textDecoration: 'underline', textUnderlineOffset: '0.2em' } },
  },
});

/** Reserves the same space for covers of all shapes. */
const CoverArea = chakra('span', {
  base: { display: 'flex', alignItems: 'center', aspectRatio: '2 / 3', '& img': { maxHeight: '100%', objectFit: 'contain' } },
});

const Bar = chakra('span', {
  base: { display: 'block', height: '6px', borderRadius: 'full', overflow: 'hidden', bg: 'line' },
});

const BarFill = chakra('span', {
  base: { display: 'block', height: '100%', minWidth: '6px', bg: 'accent', borderRadius: 'full' },
});

/** A started title with the reading progress; the whole card is the link to continue. */
const ContinueCard = ({ owned: { instanceId, progress, title } }: { owned: OwnedTitle }): ReactElement => {
  const { t, i18n } = useLingui();
  // A started title never shows 0%, and an unfinished one never 100%.
  const share = Math.min(Math.max(progress, 0.01), 0.99);
  const percent = i18n.number(share, { style: 'percent' });
  const authors = joinNames(title.authors, i18n.locale);
  return (
    <Card href={viewerPath(instanceId)} look="bare">
      <CoverArea>
        <Cover cover={title.cover} name={title.name} priority="eager" sizes="64px" />
      </CoverArea>
      <chakra.span display="grid" gap={1}>
        <chakra.span data-name fontFamily="display" fontWeight={600} lineHeight={1.3} lineClamp={2}>
          {title.name}
        </chakra.span>
        {authors === '' ? null : (
          <chakra.span fontSize="sm" color="inkMuted" truncate>
            {authors}
          </chakra.span>
        )}
        <Bar aria-hidden="true" mt={1}>
          <BarFill style={{ width: `${share * 100}%` }} />
        </Bar>
        <chakra.span fontSize="sm" color="inkMuted" fontVariantNumeric="tabular-nums">
          {title.type === 'ebook' ? t`${percent} read` : t`${percent} played`}
        </chakra.span>
      </chakra.span>
    </Card>
  );
};

/** The titles that the customer has started, each with a link to continue at the last place. */
export const ContinueShelf = ({ startedTitles }: { startedTitles: OwnedTitle[] }): ReactElement => {
  const { t } = useLingui();
  const types = new Set(startedTitles.map(({ title }) => title.type));
  const [type] = types;
  const headings = {
    ebook: t`Continue reading`,
    audio: t`Continue listening`,
    video: t`Continue watching`,
    interactive: t`Pick up where you left off`,
  };
  const heading = headings[types.size === 1 && type !== undefined ? type : 'interactive'];
  return (
    <chakra.section aria-label={heading} minWidth={0}>
      <chakra.h2 fontSize="2xl" mb={3}>
        {heading}
      </chakra.h2>
      <Row tabIndex={0} aria-label={heading}>
        {startedTitles.map((owned) => (
          <li key={owned.instanceId}>
            <ContinueCard owned={owned} />
          </li>
        ))}
      </Row>
    </chakra.section>
  );
};
