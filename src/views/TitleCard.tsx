import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { titlePath } from '../../machines/model/paths.ts';
import type { TitleSummary, TitleType } from '../../machines/model/catalogue/title.ts';
import { joinNames } from '../brand/format.ts';
import { chakra } from '../ui/chakra.ts';
import { Cover } from '../ui/Cover.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Skeleton } from '../ui/Loading.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { InLibrary } from './InLibrary.tsx';
import { WishButton } from './WishButton.tsx';
import { useOwnership } from './ownership.ts';
import { TitlePrice, HiddenUntilKnown } from './TitlePrice.tsx';

/** An e-book is the default and has no mark. */
const typeIcons: Record<TitleType, IconName | null> = { ebook: null, audio: 'sound', video: 'film', interactive: 'fork' };

const Card = chakra(TextLink, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    height: '100%',
    borderRadius: 'sm',
    '& [data-cover]': { transition: 'transform 160ms' },
    '&:hover [data-cover]': { transform: 'translateY(-4px)' },
    '&:hover [data-name]': { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  },
});

const Binding = chakra('span', {
  base: { display: 'flex', alignItems: 'flex-end', aspectRatio: '2 / 3', mb: 3 },
});

/**
 * The price and the kind of title, below the cover: a mark on it would hide part of the picture.
 */
const Foot = chakra('span', {
  base: { display: 'flex', alignItems: 'center', columnGap: 2, mt: 'auto', pt: 1 },
});

const Name = chakra('span', {
  base: { fontFamily: 'display', fontSize: 'md', fontWeight: 600, lineHeight: 1.3, lineClamp: 2 },
});

const Author = chakra('span', { base: { mt: 1, fontSize: 'sm', color: 'inkMuted', lineClamp: 1 } });

/** The frame of the card and of the controls that are placed over it. */
const CardFrame = chakra('div', { base: { position: 'relative', height: '100%' } });

type TitleCardProps = {
  title: TitleSummary;
  priority?: 'first' | 'eager' | 'lazy';
  /** The `sizes` attribute of the cover's picture; by default that of the grid. */
  sizes?: string;
  /** Whether the card has a button for the wish list. */
  hasHeart?: boolean;
};

/**
 * A title in a carousel or list: one link with cover, name, author and price; a title that is owned
 * or included in the customer's subscription has a note in place of the price.
 */
export const TitleCard = ({
  title,
  priority,
  sizes = '(min-width: 768px) 190px, 44vw',
  hasHeart = true,
}: TitleCardProps): ReactElement => {
  const { t, i18n } = useLingui();
  const ownership = useOwnership(title.id);
  const isOwned = ownership === 'owned';
  // An owned title needs no wish list.
  const showsHeart = hasHeart && !isOwned;
  const mark = typeIcons[title.type];
  const markNames: Record<TitleType, string> = {
    ebook: '',
    audio: t`Audio`,
    video: t`Video`,
    interactive: t`Interactive`,
  };
  return (
    <CardFrame>
      <Card href={titlePath(title.id, title.name)} look="bare">
        <Binding data-cover>
          <Cover cover={title.cover} name={title.name} priority={priority} sizes={sizes} />
        </Binding>
        <Name data-name>{title.name}</Name>
        {title.authors.length === 0 ? null : <Author>{joinNames(title.authors, i18n.locale)}</Author>}
        <Foot pr={showsHeart ? 8 : 0}>
          {isOwned || ownership === 'withSubscription' ? (
            <InLibrary size="sm" withSubscription={!isOwned} />
          ) : (
            <HiddenUntilKnown waits={ownership === 'unknown'}>
              <TitlePrice title={title} size="sm" />
            </HiddenUntilKnown>
          )}
          {mark === null ? null : (
            <chakra.span role="img" aria-label={markNames[title.type]} color="inkMuted">
              <Icon name={mark} size={18} />
            </chakra.span>
          )}
        </Foot>
      </Card>
      {showsHeart ? <WishButton title={title} /> : null}
    </CardFrame>
  );
};

/** The placeholder of a card. */
export const TitleCardSkeleton = (): ReactElement => (
  <chakra.div aria-hidden="true">
    <Skeleton aspectRatio="2 / 3" mb={3} />
    <Skeleton height="1.3rem" width="85%" />
    <Skeleton height="1rem" width="60%" mt={2} />
    <Skeleton height="1rem" width="35%" mt={2} />
  </chakra.div>
);
