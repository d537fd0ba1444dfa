import { oldServiceSuite } from './old-service.ts';
import { OLD_SERVICE_SETTINGS } from './verify/old-service.ts';

// The first setting; `npm run stress journeys` takes the others.
oldServiceSuite(OLD_SERVICE_SETTINGS.slice(0, 1));
