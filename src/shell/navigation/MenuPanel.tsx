import { useLingui } from '@lingui/react/macro';
// Whether the menu has been opened is this view's alone: no event of a machine depends on it.
// oxlint-disable-next-line no-restricted-imports
import { useId, useState, type ReactElement } from 'react';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { BarButton } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { closeBehind, Popover } from '../../ui/Popover.tsx';
import { useApp } from '../../views/app-actor.ts';
import { CategoryTree } from './CategoryTree.tsx';
import { ExploreLinks } from './ExploreLinks.tsx';
import { useFrame } from '../frame/use-frame.ts';

/**
 * The sidebar of narrow windows: closed until it is asked for, and again once a link has been followed. Its links are drawn
 * when it is first opened: until then they stand in the sidebar and the strip alone.
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
        onBlur={closeBehind}
        side="left"
        bg="sidebar"
        color="sidebarText"
        css={{
          '& :focus-visible': { outlineColor: 'sidebarText' },
          // Open in a window that grows wide it is not seen, nor its backdrop; Escape or the next press closes it.
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
