/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_known: references by which Android, what phone makers added to it, or a library is known to leak.
 *
 * Facts: the public bug trackers of Android and of LeakCanary.
 */
#include "config.h"

#include <string.h>

#include "inspect.h"

#define NAME(text) text, sizeof text - 1

/* field NULL: any field; a class that ends with a dot matches all classes of the package. */
static const struct known {
	const char	*class;
	size_t		 n;		/* bytes of it */
	const char	*field, *note;
} known[] = {
	{ NAME("android.accounts.AccountManager$AmsTask$Response"), "this$1",
	    "another process holds the Activity given to AccountManager; pass null" },
	{ NAME("android.animation.AnimationHandler"), "mAnimatorRequestors",
	    "the animation handler of Android 13 retains closed windows" },
	{ NAME("android.animation.LayoutTransition$1"), "val$parent",
	    "up to Android 5.1: a layout transition retains its parent until the window is closed" },
	{ NAME("android.app.Activity$1"), "this$0",
	    "Android 10: another process retains a callback after Back; call finishAfterTransition()" },
	{ NAME("android.app.ActivityManager"), "mContext",
	    "Samsung static field retains the first Activity" },
	{ NAME("android.app.ActivityThread"), "mNewActivities",
	    "released when the main thread is idle" },
	{ NAME("android.app.ActivityThread$ActivityClientRecord"), "nextIdle",
	    "released when the main thread is idle" },
	{ NAME("android.app.ActivityTransitionState"), "mExitingToView",
	    "Android 9 and 10: a shared element transition retains its view" },
	{ NAME("android.app.ApplicationPackageManager$HasSystemFeatureQuery"), "this$0",
	    "previews of Android 11: a cached query retains the context" },
	{ NAME("android.app.ExtendedStatusBarManager"), "mContext",
	    "Sharp class retains a context" },
	{ NAME("android.app.Instrumentation"), "mRecommendActivity",
	    "Meizu static field retains an Activity" },
	{ NAME("android.app.SemAppIconSolution"), "mContext",
	    "Samsung singleton retains a context" },
	{ NAME("android.app.admin.DevicePolicyManager$SettingsObserver"), "this$0",
	    "an observer that Motorola added retains the context of DevicePolicyManager" },
	{ NAME("android.app.assist.AssistStructure$ViewNodeText"), "mText",
	    "the assistant retains strings whose spans reference views" },
	{ NAME("android.appwidget.AppWidgetHost$Callbacks"), "this$0",
	    "up to Android 5.0: another process retains AppWidgetHost callbacks" },
	{ NAME("android.companion.CompanionDeviceService$Stub"), "this$0",
	    "Android 12: another process retains the service after its end" },
	{ NAME("android.gestureboost.GestureBoostManager"), "mContext",
	    "Huawei singleton retains the first context" },
	{ NAME("android.hardware.SystemSensorManager"), "mAppContextImpl",
	    "OEM static field retains the first context; use the application context" },
	{ NAME("android.hardware.biometrics.BiometricPrompt"), "mFingerprintManager",
	    "Android 9: a prompt retains a context by its FingerprintManager" },
	{ NAME("android.hardware.input.InputManager"), "mLateInitContext",
	    "the singleton of Android 13 retains the first context" },
	{ NAME("android.media.AudioManager"), "mContext_static",
	    "Samsung static field retains an Activity" },
	{ NAME("android.media.AudioManager$1"), "this$0",
	    "up to Android 5.1: AudioManager retains the context that asked for audio focus; use the application "
	    "context" },
	{ NAME("android.media.MediaScannerConnection"), "mContext",
	    "up to Android 5.1: scanFile() retains its context until the service answers; use the application "
	    "context" },
	{ NAME("android.media.projection.MediaProjection$MediaProjectionCallback"), "this$0",
	    "another process holds the callback and the MediaProjection context" },
	{ NAME("android.media.session.MediaSessionLegacyHelper"), "sInstance",
	    "Android 5.0: the singleton retains the first context; create it early with the application context" },
	{ NAME("android.net.ConnectivityManager"), "sInstance",
	    "up to Android 6: the singleton retains the first context; create it early with the application context" },
	{ NAME("android.net.ConnectivityManager$CallbackHandler"), "this$0",
	    "Android 13: a static handler retains the context of a ConnectivityManager; use the application context" },
	{ NAME("android.nfc.cardemulation.HostApduService$MsgHandler"), "this$0",
	    "its handler outlives the service" },
	{ NAME("android.os.PerfMonitor"), "mLastCallback",
	    "OnePlus static field retains the last callback" },
	{ NAME("android.os.PersonaManager"), "mContext",
	    "Samsung class retains an Activity" },
	{ NAME("android.os.UserManager"), "mContext",
	    "up to Android 7: the singleton retains the first context; create it early with the application context" },
	{ NAME("android.sec.clipboard.ClipboardExManager"), "mContext",
	    "Samsung class retains a context for another process" },
	{ NAME("android.sec.clipboard.ClipboardExManager"), "mPersonaManager",
	    "Samsung class retains a context for another process" },
	{ NAME("android.sec.clipboard.ClipboardUIManager"), "mContext",
	    "Samsung singleton retains the first context" },
	{ NAME("android.speech.SpeechRecognizer$InternalListener"), "this$0",
	    "up to Android 4.4: the listener retains the context of a SpeechRecognizer" },
	{ NAME("android.speech.tts.TextToSpeech"), "mContext",
	    "shutdown() does not release the context; use the application context" },
	{ NAME("android.speech.tts.TtsEngines"), "mContext",
	    "shutdown() does not release the context; use the application context" },
	{ NAME("android.text.TextLine"), "sCached",
	    "up to Android 5.1: the pool of text lines retains strings whose spans reference views" },
	{ NAME("android.text.method.TextKeyListener"), "mContext",
	    "Razer field retains an Activity" },
	{ NAME("android.view.ViewConfiguration"), "mContext",
	    "Samsung field retains an Activity" },
	{ NAME("android.view.ViewGroup"), "mCurrentDragChild",
	    "Android 10 and 11: a ViewGroup retains the last dragged view" },
	{ NAME("android.view.ViewGroup"), "mPreSortedChildren",
	    "Android 11: a ViewGroup retains a list of processed children" },
	{ NAME("android.view.ViewGroup$ViewLocationHolder"), "mRoot",
	    "Android 9: a pooled object retains the root of a view hierarchy" },
	{ NAME("android.view.accessibility.AccessibilityNodeIdManager"), "mIdsToViews",
	    "Android 10: views detached before being attached stay referenced" },
	{ NAME("android.view.accessibility.AccessibilityNodeInfo"), "mOriginalText",
	    "Android 8: pooled nodes keep strings whose spans reference views" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mCurRootView",
	    "kept until another window gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mCurrentInputConnection",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mImeInsetsConsumer",
	    "not released with its window" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mLastFocusView",
	    "LG field retains the last focused view" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mLastSrvView",
	    "Huawei field retains the view that last had the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mNextServedView",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mServedInputConnection",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mServedView",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.textclassifier."), NULL,
	    "the text classifier retains the context that created it" },
	{ NAME("android.view.textservice.SpellCheckerSession$1"), "this$0",
	    "up to Android 7: a session closed before connecting retains its view" },
	{ NAME("android.widget.AccessibilityIterators$LineTextSegmentIterator"), "mLayout",
	    "Android 8.1: a shared iterator retains the text layout of a view" },
	{ NAME("android.widget.ActivityChooserModel"), "mActivityChoserModelPolicy",
	    "a static field retains the last policy set, often an Activity" },
	{ NAME("android.support.v7.internal.widget.ActivityChooserModel"), "mActivityChoserModelPolicy",
	    "a static field retains the last policy set, often an Activity" },
	{ NAME("android.widget.BubblePopupHelper"), "sHelper",
	    "LG static field retains the last focused view" },
	{ NAME("android.widget.Editor$Blink"), "this$0",
	    "up to Android 6: the blinking cursor of a closed dialog retains its view for a moment" },
	{ NAME("android.widget.Editor$EasyEditSpanController"), "this$0",
	    "up to Android 4.4: the saved state of a text retains its view" },
	{ NAME("android.widget.Editor$SpanController"), "this$0",
	    "up to Android 4.4: the saved state of a text retains its view" },
	{ NAME("android.widget.Magnifier$InternalPopupWindow"), "mCallback",
	    "Android 9: a frame callback retains the magnifier of a text" },
	{ NAME("android.widget.SpellChecker"), "mTextView",
	    "a pending spell checker retains its view" },
	{ NAME("android.widget.SpellChecker$1"), "this$0",
	    "Android 5.1: a pending spell checker retains its view" },
	{ NAME("android.widget.TextView"), "mLastHoveredView",
	    "Samsung static field retains the last hovered view" },
	{ NAME("android.widget.TextView"), "mTargetView",
	    "Samsung static field retains a view" },
	{ NAME("android.widget.TextView$IClipboardDataPasteEventImpl"), "this$0",
	    "Samsung class retains its view for another process" },
	{ NAME("android.widget.Toast$TN"), NULL,
	    "another process retains a toast until it was shown" },
	{ NAME("android.window.WindowOnBackInvokedDispatcher$OnBackInvokedCallbackWrapper"), "mCallback",
	    "previews of Android 13: another process retains the callback of a closed window" },
	{ NAME("com.android.internal.policy.BackdropFrameRenderer"), "mDecorView",
	    "Android 7 and 8.0: the renderer of a resized window retains it" },
	{ NAME("com.android.internal.policy.MultiWindowDecorSupport"), "mWindow",
	    "Samsung class retains a window" },
	{ NAME("com.android.org.chromium.android_webview.AwResource"), "sResources",
	    "a static field retains the resources of an Activity" },
	{ NAME("com.facebook.flipper.plugins.inspector.descriptors.ApplicationDescriptor"), "editedDelegates",
	    "Flipper retains closed windows" },
	{ NAME("com.lge.systemservice.core.LGContext"), "mContext",
	    "LG singleton retains the first context" },
	{ NAME("com.lge.systemservice.core.SmartCoverManager"), "mContext",
	    "LG class retains a context for another process" },
	{ NAME("com.nvidia.ControllerMapper.MapperClient$ServiceClient"), "this$0",
	    "NVIDIA class retains the context of a MapperClient" },
	{ NAME("com.oneplus.util.OemSceneCallBlocker"), "sContext",
	    "OnePlus static field retains an Activity" },
	{ NAME("com.samsung.android.emergencymode.SemEmergencyManager"), "mContext",
	    "Samsung singleton retains the first context" },
	{ NAME("com.samsung.android.knox.SemPersonaManager"), "mContext",
	    "Samsung class retains a context" },
	{ NAME("com.samsung.android.smartclip.SpenGestureManager"), "mContext",
	    "Samsung static field retains an Activity" }
};

static bool
class_fits(const struct known *k, struct str name)
{
	if (k->class[k->n - 1] == '.' && name.n > k->n)
		name.n = k->n;
	return heap_same_name(name, (struct str){ k->class, k->n });
}

bool
leak_known_class(const struct heap *h, uint32_t class)
{
	struct str name = class_text(h, class);

	for (size_t i = 0; i < NELEM(known); i++)
		if (class_fits(&known[i], name))
			return true;
	return false;
}

const char *
leak_known_reference(const struct heap *h, uint32_t class, struct str field)
{
	struct str name = class_text(h, class);

	for (size_t i = 0; i < NELEM(known); i++)
		if (class_fits(&known[i], name) &&
		    (known[i].field == NULL ? field.n > 0 : str_eq(str_of(known[i].field), field)))
			return known[i].note;
	return NULL;
}
