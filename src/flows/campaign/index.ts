export { flow } from './ports.ts';
export { CampaignView as Screens } from './CampaignView.tsx';
