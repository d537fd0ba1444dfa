import { oldServiceSuite } from '../old-service.ts';
import { OLD_SERVICE_SETTINGS } from '../verify/old-service.ts';

oldServiceSuite(OLD_SERVICE_SETTINGS.slice(1));
