import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { libraryMachine } from '../../../machines/reading/library.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import type { TitleType } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { joinNames } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Cover } from '../../ui/Cover.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { EventButton } from '../../ui/EventButton.tsx';

const actionLabels: Record<TitleType, ReactElement> = {
  ebook: <Trans>Read</Trans>,
  audio: <Trans>Listen</Trans>,
  video: <Trans>Watch</Trans>,
  interactive: <Trans context="an interactive title">Play</Trans>,
};

const Card = chakra('article', {
  base: {
    position: 'relative',
    display: 'grid',
    gap: 2,
    '& img': { transition: 'transform 160ms, box-shadow 160ms' },
    '&:hover img': { transform: 'translateY(-3px)', boxShadow: 'coverRaised' },
  },
});

/** Aligns covers of all shapes on one line. */
const CoverArea = chakra('div', {
  base: { display: 'flex', alignItems: 'flex-end', aspectRatio: '2 / 3', '& img': { maxHeight: '100%', objectFit: 'contain' } },
});

const Bar = chakra('progress', {
  base: {
    appearance: 'none',
    display: 'block',
    width: '100%',
    height: '6px',
    border: 0,
    borderRadius: 'full',
    overflow: 'hidden',
    bg: 'line',
    '&::-webkit-progress-bar': { background: 'transparent' },
    '&::-webkit-progress-value': { background: 'var(--c-colors-accent)', borderRadius: '999px' },
    '&::-moz-progress-bar': { background: 'var(--c-colors-accent)', borderRadius: '999px' },
  },
});

/**
 * A title of the library with its cover and the reading progress. One button covers the whole card,
 * except in a store whose titles are not read in the browser.
 */
export const OwnedCard = ({ actor, owned }: { actor: ActorRefFrom<typeof libraryMachine>; owned: OwnedTitle }): ReactElement => {
  const { t, i18n } = useLingui();
  const { readsHere } = useBrand();
  const { instanceId, progress, title, withSubscription } = owned;
  const percent = i18n.number(progress, { style: 'percent' });
  const isStarted = progress > 0 && progress < 1;
  return (
    <Card>
      <CoverArea>
        <Cover cover={title.cover} name={title.name} sizes="(min-width: 768px) 180px, 44vw" />
      </CoverArea>
      <chakra.h2 mt={2} fontSize="md" fontWeight={600} lineHeight={1.3} minHeight="2.6em">
        {title.name}
      </chakra.h2>
      <chakra.p fontSize="sm" color="inkMuted" truncate>
        {joinNames(title.authors, i18n.locale)}
      </chakra.p>
      <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr) auto" alignItems="center" gap={2} minHeight="1.25rem">
        <Bar value={progress} max={1} aria-label={t`Your progress`} />
        <chakra.span fontSize="xs" color="inkMuted" fontVariantNumeric="tabular-nums">
          {progress === 0 ? <Trans>New</Trans> : progress === 1 ? <Trans>Finished</Trans> : percent}
        </chakra.span>
      </chakra.div>
      {withSubscription === true ? (
        <chakra.p fontSize="xs" color="inkMuted">
          <Trans>With your subscription</Trans>
        </chakra.p>
      ) : null}
      {readsHere ? (
        <EventButton
          actor={actor}
          event={{ type: 'title.opened', instanceId }}
          data-value={instanceId}
          look={isStarted ? 'solid' : 'outline'}
          size="sm"
          wide
          _after={{ content: '""', position: 'absolute', inset: 0 }}
        >
          {isStarted ? <Trans>Continue</Trans> : actionLabels[title.type]}
          <VisuallyHidden>{title.name}</VisuallyHidden>
        </EventButton>
      ) : (
        <chakra.p fontSize="sm">
          <Trans>In the app</Trans>
        </chakra.p>
      )}
    </Card>
  );
};
