import type { ReactElement } from 'react';
import type { ChromePart } from '../../machines/model/flow-definition.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { chakra } from '../ui/chakra.ts';
import { useApp } from '../views/app-actor.ts';
import { ExploreLinks } from './ExploreLinks.tsx';
import { SubscribeLink } from './SubscribeLink.tsx';
import { TopFilter } from './TopFilter.tsx';

const Ways = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    columnGap: 5,
    width: '100%',
    maxWidth: '96rem',
    mx: 'auto',
    px: { base: 4, md: 6, xl: 7 },
    py: { base: 2, xl: 0 },
    '&:empty': { display: 'none' },
  },
});

/** The ways into the shop, under the top bar: on a desktop the kinds of titles, else the offer to subscribe; then the filters. */
export const Strip = ({ hides }: { hides: ChromePart[] }): ReactElement => {
  const isDesktop = useApp(({ layout }) => layout === 'desktop');
  const { hidesFilters } = useBrand();
  return (
    <Ways>
      {isDesktop ? <ExploreLinks hides={hides} /> : null}
      {isDesktop || hides.includes('subscribe') ? null : <SubscribeLink />}
      {hidesFilters || hides.includes('topFilter') ? null : <TopFilter />}
    </Ways>
  );
};
