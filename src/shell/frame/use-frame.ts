import { useSelector } from '@xstate/react';
import type { ComponentProps, ComponentType } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { searchBoxMachine } from '../../../machines/app/search-box.ts';
import type { frameMachine } from '../../../machines/app/frame.ts';
import type { SearchField } from '../../ui/SearchField.tsx';
import { useAppActor } from '../../views/app-actor.ts';

export type FrameActor = ActorRefFrom<typeof frameMachine>;
export type SearchBoxActor = ActorRefFrom<typeof searchBoxMachine>;

/** The frame's components that are loaded after the first screen is shown. */
export type FrameComponents = {
  AccountMenu: ComponentType<{ frame: FrameActor }>;
  CartLink: ComponentType;
  CreditsLink: ComponentType;
  LookMenu: ComponentType<{ frame: FrameActor }>;
  Notices: ComponentType<{ frame: FrameActor }>;
  LookSelects: ComponentType<{ frame: FrameActor }>;
  Suggestions: ComponentType<{ searchBox: SearchBoxActor; id: string }>;
  searchProps: (
    searchBox: SearchBoxActor,
    snapshot: SnapshotFrom<typeof searchBoxMachine>,
    id: string,
  ) => Partial<ComponentProps<typeof SearchField>>;
};

// oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
let loadedComponents: FrameComponents | null = null;

/** Stores the loaded components. */
export const registerFrameComponents = (components: FrameComponents): void => {
  loadedComponents = components;
};

/** The frame's actor and components; null until both are loaded. */
export const useFrame = (): ({ actor: FrameActor } & FrameComponents) | null => {
  const actor = useSelector(useAppActor(), ({ children }) => children['frame'] as FrameActor | undefined);
  return actor && loadedComponents ? { actor, ...loadedComponents } : null;
};

/** A part of the frame's snapshot; undefined until its machine is loaded. */
export const useFrameSnapshot = <Part>(select: (snapshot: SnapshotFrom<typeof frameMachine>) => Part): Part | undefined => {
  const frame = useSelector(useAppActor(), ({ children }) => children['frame'] as FrameActor | undefined);
  return useSelector(frame, (snapshot) => snapshot && select(snapshot));
};
