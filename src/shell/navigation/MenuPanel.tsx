import { useLingui } from '@lingui/react/macro';
// Local state: whether the menu has been opened matters only to this view, no machine event depends
// on it.
// oxlint-disable-next-line no-restricted-imports
import { useId, useState, type ReactElement } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { BarButton } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { closeOnFocusLeave, Popover } from '../../ui/Popover.tsx';
import { useApp } from '../../views/app-actor.ts';
import { CategoryTree } from './CategoryTree.tsx';
import { ExploreLinks } from './ExploreLinks.tsx';
import { useFrame } from '../frame/use-frame.ts';

/**
 * The sidebar of narrow windows: closed at first, and again after a link has been followed. Its
 * links are rendered when it is first opened, so that until then the page has each link once.
 */
export const MenuPanel = ({ hides }: { hides: FramePart[] }): ReactElement => {
  const { t } = useLingui();
  const id = useId();
  const frame = useFrame();
  const [wasOpened, setWasOpened] = useState(false);
  const path = useApp(({ route }) => route?.path ?? '');
  return (
    <>
      <BarButton popoverTarget={id} aria-label={t`Menu`} display={{ xl: 'none' }}>
        <Icon name="menu" />
      </BarButton>
      <Popover
        key={path}
        id={id}
        popover="auto"
        onBeforeToggle={() => setWasOpened(true)}
        onBlur={closeOnFocusLeave}
        side="left"
        bg="sidebar"
        color="sidebarText"
        css={{
          '& :focus-visible': { outlineColor: 'sidebarText' },
          // When an open panel's window becomes wide, the panel and its backdrop are hidden; Escape
          // or the next press closes it.
          '&:popover-open': { display: { xl: 'none' } },
        }}
      >
        <chakra.div display="flex" justifyContent="flex-end">
          <BarButton popoverTarget={id} popoverTargetAction="hide" aria-label={t`Close the menu`}>
            <Icon name="close" />
          </BarButton>
        </chakra.div>
        {wasOpened ? (
          <>
            <ExploreLinks hides={hides} stacked />
            {hides.includes('sidebar') ? null : <CategoryTree />}
            {frame ? (
              <chakra.div px={3}>
                <frame.LookSelects frame={frame.actor} />
              </chakra.div>
            ) : null}
          </>
        ) : null}
      </Popover>
    </>
  );
};
